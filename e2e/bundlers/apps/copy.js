import * as signett from "signett";
import * as client from "signett/client";

window.copies ??= [];
window.copies.push({ ...signett, ...client });
