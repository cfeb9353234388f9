#!/usr/bin/env node
import { main, prepareProcess } from "../bundle/main.js";

prepareProcess();
await main(process.argv);
