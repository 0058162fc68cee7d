/** Takes a lock. Resolves once it is held, with what gives it back and how the request ends. */
export function hold(locks: LockManager, name: string, options: LockOptions = {}) {
  return new Promise<{ release: () => void; ended: Promise<void> }>((held, failed) => {
    const ended: Promise<void> = locks.request(name, options, () => {
      return new Promise<void>((release) => held({ release, ended }));
    });
    ended.catch(failed);
  });
}

/** Asks for a lock and writes down when it is granted; the lock is released at once. */
export const noting =
  (log: string[]) =>
  (locks: LockManager, note: string, options: LockOptions = {}) =>
    locks.request("lock", options, () => {
      log.push(note);
    });

/** All that is pending has had its turn. */
export const settled = (locks: LockManager) => locks.request("settled", async () => {});
