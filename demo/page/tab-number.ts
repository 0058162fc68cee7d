/**
 * The tab's number: counted up, and kept over a reload. Session storage holds it only while no page of this tab is
 * alive, so that a duplicated tab, which gets a copy of the storage, counts on.
 */
export async function takeTabNumber(): Promise<number> {
  const own = "signett-demo:number";
  const kept = Number(sessionStorage.getItem(own));
  sessionStorage.removeItem(own);
  const number = kept > 0 ? kept : await countUp();
  addEventListener("pagehide", () => sessionStorage.setItem(own, String(number)));
  addEventListener("pageshow", () => sessionStorage.removeItem(own));
  return number;
}

async function countUp(): Promise<number> {
  const counter = "signett-demo:tabs";
  const next = () => {
    const number = Number(localStorage.getItem(counter)) + 1;
    localStorage.setItem(counter, String(number));
    return number;
  };
  // Two tabs that open at once must not get one number. Without locks they may, and nothing depends on it.
  return "locks" in navigator ? navigator.locks.request(counter, next) : next();
}
