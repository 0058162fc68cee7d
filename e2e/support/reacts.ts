/** One of the versions of React that the pages are built with. */
export interface React {
  readonly name: string;
  /** As the page says itself. */
  readonly version: RegExp;
  /** Where the page that is built with it is. */
  readonly at: (path: string) => string;
}

export const react19: React = { name: "React 19", version: /^19\./, at: (path) => path };

const react18: React = {
  name: "React 18",
  version: /^18\./,
  at: (path) => `/react-18${path}`,
};

export const reacts: readonly React[] = [react19, react18];
