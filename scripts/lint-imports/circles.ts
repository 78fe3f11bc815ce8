/** File → the files it imports. */
type ImportGraph = ReadonlyMap<string, readonly string[]>

/** For each file that imports itself through others, the shortest way round; every circle is listed once. */
export function findCircles(graph: ImportGraph): string[][] {
  const circles = new Map<string, string[]>()
  for (const file of graph.keys()) {
    const circle = shortestCircle(graph, file)
    const key = circle?.toSorted().join()
    if (circle && key !== undefined && !circles.has(key)) circles.set(key, circle)
  }
  return [...circles.values()]
}

/** Breadth-first from the file until it is reached again. */
function shortestCircle(graph: ImportGraph, start: string): string[] | undefined {
  const importer = new Map<string, string>()
  const queue = [start]
  for (let at = 0; at < queue.length; at += 1) {
    const file = queue[at] as string
    for (const imported of graph.get(file) ?? []) {
      if (imported === start) return pathTo(file, importer)
      if (importer.has(imported)) continue
      importer.set(imported, file)
      queue.push(imported)
    }
  }
  return undefined
}

function pathTo(file: string, importer: ReadonlyMap<string, string>): string[] {
  const before = importer.get(file)
  return before === undefined ? [file] : [...pathTo(before, importer), file]
}
