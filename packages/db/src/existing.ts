/** A row that has to be there, because this transaction has written or locked it. */
export function existing<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A row that this transaction has written or locked is not there.')
  return row
}
