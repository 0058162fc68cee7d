import { PGlite } from "@electric-sql/pglite";
import { afterAll } from "vitest";
import { prepareDatabase } from "../../demo/server/database.js";
import { describeCancelling } from "./cancelling.js";
import { describeFaults } from "./faults.js";
import { describeRequests } from "./requests.js";

// A database takes seconds to start, so all suites are run from this file, on one.
const database = await PGlite.create();
await prepareDatabase(database);
afterAll(() => database.close());

describeCancelling(database);
describeFaults(database);
describeRequests(database);
