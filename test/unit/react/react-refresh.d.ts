/** What a development server puts into a page; the package has no types. */
declare module "react-refresh/runtime" {
  export function injectIntoGlobalHook(page: typeof globalThis): void;
  /** Links a component to the earlier ones of this id. */
  export function register(component: unknown, id: string): void;
  export function createSignatureFunctionForTransform(): unknown;
  /** Has React replace every component that has a newer one. */
  export function performReactRefresh(): unknown;
}
