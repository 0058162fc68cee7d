import type { Order } from "../server/api.js";
import { byId, setText } from "./dom.js";
import { count, formatAmount } from "./format.js";

interface Question {
  readonly orderId: string;
  /** Absent when the server has no such order. */
  readonly order: Order | undefined;
  readonly answer: (approved: boolean) => void;
}

/**
 * The page's own approval dialog: one question at a time, in the order in which they came. Closing the dialog in
 * any way other than "Approve" declines.
 */
export function createApproval(
  getOrder: (orderId: string, options: { signal: AbortSignal }) => Promise<Order | undefined>,
): (orderId: string, options: { signal: AbortSignal }) => Promise<boolean> {
  const dialog = byId("approval", HTMLDialogElement);
  const approve = byId("approve", HTMLButtonElement);
  const decline = byId("decline", HTMLButtonElement);
  const title = document.title;
  let questions: readonly Question[] = [];
  let focused: Question | undefined;

  function show(): void {
    const [question, ...waiting] = questions;
    document.title = question === undefined ? title : `Approval needed – ${title}`;
    if (question === undefined) {
      dialog.close();
      return;
    }
    const { orderId, order } = question;
    setText(byId("approval-order", HTMLElement), orderId);
    setText(byId("approval-item", HTMLElement), order?.item ?? "The shop has no such order");
    setText(byId("approval-amount", HTMLElement), order ? formatAmount(order.amountCents) : "–");
    const more = `${count(waiting.length, "more request")} waiting`;
    setText(byId("approval-more", HTMLElement), waiting.length === 0 ? "" : more);
    if (!dialog.open) dialog.showModal();
    if (focused !== question) decline.focus();
    focused = question;
  }

  const drop = (question: Question) => {
    questions = questions.filter((other) => other !== question);
    show();
  };
  const answerFirst = (approved: boolean) => {
    const [question] = questions;
    if (question === undefined) return;
    question.answer(approved);
    drop(question);
  };

  approve.addEventListener("click", ({ detail }) => {
    // The second click of a double click would approve the next question unread.
    if (detail <= 1) answerFirst(true);
  });
  decline.addEventListener("click", () => answerFirst(false));
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    answerFirst(false);
  });
  // A browser may close the dialog on a repeated Escape without asking. The event comes late: by then the dialog
  // may be open again for another question.
  dialog.addEventListener("close", () => {
    if (!dialog.open) answerFirst(false);
  });

  return async (orderId, { signal }) => {
    const order = await getOrder(orderId, { signal });
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        drop(question);
      };
      const answer = (approved: boolean) => {
        signal.removeEventListener("abort", leave);
        resolve(approved);
      };
      const question: Question = { orderId, order, answer };
      signal.addEventListener("abort", leave, { once: true });
      questions = [...questions, question];
      show();
    });
  };
}
