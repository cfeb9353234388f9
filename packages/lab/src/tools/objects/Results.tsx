// Under the settings of objects: their properties as charts, the selection, and the table.

import { Dialog } from "../../widgets/Dialog.js";
import { LINE } from "../../words/line.js";
import { Card } from "./Card.js";
import { Properties } from "./Properties.js";
import { Table } from "./Table.js";

const lineScan = async () => (await import("./LineScan.js")).LineScan;

export function Results() {
  return (
    <>
      <Properties />
      <Card />
      <Table />
      <p>
        <Dialog name={LINE.name} load={lineScan} />
      </p>
    </>
  );
}
