#!/usr/bin/env node
import { main, prepareProcess } from "../dist/main.js";

prepareProcess();
await main(process.argv);
