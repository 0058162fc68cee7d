type Simplify<T> = { [K in keyof T]: T[K] } & {};

interface Types {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type RequiredKeys<Schema> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Key
  : never;

type ObjectOf<Schema, Properties> = Simplify<
  {
    -readonly [K in keyof Properties as K extends RequiredKeys<Schema> ? K : never]: DataOf<
      Properties[K]
    >;
  } & {
    -readonly [K in keyof Properties as K extends RequiredKeys<Schema> ? never : K]?: DataOf<
      Properties[K]
    >;
  }
>;

type ByType<Schema, Type> = Type extends keyof Types
  ? Types[Type]
  : Type extends "array"
    ? Schema extends { readonly items: infer Items }
      ? DataOf<Items>[]
      : unknown[]
    : Type extends "object"
      ? Schema extends { readonly properties: infer Properties }
        ? ObjectOf<Schema, Properties>
        : Record<string, unknown>
      : unknown;

/**
 * The data that a literal JSON Schema admits. It reads `const`, `enum`, `type`, `properties`, `required` and `items`;
 * whatever else a schema says is checked at run time, and is `unknown` here.
 */
export type DataOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: readonly (infer Type)[] }
      ? ByType<Schema, Type>
      : Schema extends { readonly type: infer Type }
        ? ByType<Schema, Type>
        : unknown;
