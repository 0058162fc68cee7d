import { Note } from "./note.jsx";

export default function Page() {
  return <Note />;
}
