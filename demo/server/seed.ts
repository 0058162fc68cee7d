import type { Order } from "./api.js";

export const DEFAULT_ORDER_COUNT = 12;

const FIRST_NUMBER = 1001;
const SHIPPED_EVERY = 6;

const CATALOGUE: readonly (readonly [item: string, amountCents: number])[] = [
  ["Pour-over kettle, matte black", 7_900],
  ["Linen duvet cover, double", 12_450],
  ["Trail running shoes, size 42", 13_900],
  ["Noise-cancelling headphones", 24_900],
  ["Cast-iron skillet, 26 cm", 5_495],
  ["Desk lamp with dimmer", 6_850],
  ["Merino base layer, medium", 8_200],
  ["Mechanical keyboard, ISO layout", 15_990],
  ["Single-origin coffee beans, 1 kg", 2_890],
  ["Rain jacket, unisex", 18_900],
  ["Ceramic dinner plates, set of 4", 4_720],
  ["USB-C docking station", 11_900],
  ["Yoga mat, natural rubber", 6_495],
  ["Hardcover notebook, dotted", 1_950],
  ["Wool throw blanket, forest green", 9_300],
];

/** The same `count` orders each time: "A-1001", "A-1002", …, every sixth of them shipped. */
export function seedOrders(count: number): Order[] {
  return Array.from({ length: count }, (_, index) => {
    const [item, listPrice] = CATALOGUE[index % CATALOGUE.length] ?? ["Gift card", 5_000];
    const round = Math.floor(index / CATALOGUE.length);
    return {
      id: `A-${FIRST_NUMBER + index}`,
      item,
      amountCents: listPrice + round * 35,
      status: (index + 1) % SHIPPED_EVERY === 0 ? "shipped" : "open",
    };
  });
}
