import { interpretedValidator } from "signett/validation";
import { start } from "./tool.js";

start({}, { validator: interpretedValidator });
