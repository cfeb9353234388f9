// Under the settings of objects: their properties as charts, the selection, and the table.

import { Card } from "./Card.js";
import { Properties } from "./Properties.js";
import { Table } from "./Table.js";

export function Results() {
  return (
    <>
      <Properties />
      <Card />
      <Table />
    </>
  );
}
