const amounts = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });
const times = new Intl.DateTimeFormat("en", { timeStyle: "medium" });

export const formatAmount = (cents: number) => amounts.format(cents / 100);

export const formatTime = (timestamp: string) => times.format(new Date(timestamp));

/** "1 effect", "4 effects". */
export const count = (number: number, noun: string) =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
