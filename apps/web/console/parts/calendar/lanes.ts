/** What takes time in a column of the calendar, in minutes after midnight. */
export interface Block<Item> {
  item: Item
  start: number
  end: number
}

export interface PlacedBlock<Item> extends Block<Item> {
  lane: number
  /** How many lanes its group of overlapping blocks needs. */
  lanes: number
}

/** Puts overlapping blocks beside each other. Blocks that overlap nothing get the whole width. */
export function placeBlocks<Item>(blocks: readonly Block<Item>[]): PlacedBlock<Item>[] {
  const sorted = blocks.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const placed: PlacedBlock<Item>[] = []
  let group: PlacedBlock<Item>[] = []
  let ends: number[] = []
  const closeGroup = () => {
    placed.push(...group.map((block) => ({ ...block, lanes: ends.length })))
    group = []
    ends = []
  }
  for (const block of sorted) {
    if (ends.every((end) => end <= block.start)) closeGroup()
    const free = ends.findIndex((end) => end <= block.start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = block.end
    group.push({ ...block, lane, lanes: 1 })
  }
  closeGroup()
  return placed
}
