/** One value that views follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls the listener now and after every change. The page's views live as long as the page. */
  subscribe(listener: (value: T) => void): void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners: ((value: T) => void)[] = [];
  let current = initial;
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener(current);
    },
    subscribe(listener) {
      listeners.push(listener);
      listener(current);
    },
  };
}
