interface Product {
  readonly productId: string;
  readonly name: string;
}

const catalogue: readonly Product[] = [
  { productId: "p-1", name: "Hiking boots" },
  { productId: "p-2", name: "Rain coat" },
];

/** The queries that the application has got. */
export const queries: string[] = [];

/** The application's search. */
export async function searchProducts(
  query: string,
  { signal }: { signal: AbortSignal },
): Promise<Product[]> {
  signal.throwIfAborted();
  queries.push(query);
  return catalogue.filter(({ name }) => name.toLowerCase().includes(query));
}

/** The sample of "Tool definitions", which others go on with. */
export const searchProductsTool = {
  name: "search_products",
  description: "Find products matching one query and return stable product IDs.",
  inputSchema: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 80,
        description: "Words from the product name.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  execute: ({ query }: { query: string }, { signal }: { signal: AbortSignal }) =>
    searchProducts(query, { signal }),
};
