import { start } from "./tool.js";

start();
