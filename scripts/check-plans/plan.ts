/** What auto_explain writes of a node, as far as it is read here. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export interface Explained {
  'Query Text': string
  Plan: PlanNode
}

interface SequentialScan {
  table: string
  /** That it read, of which it may have returned none. */
  rows: number
}

/** Pages of the database that a statement touched, wherever they were. */
export const buffersOf = ({ Plan: plan }: Explained): number =>
  (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)

export function sequentialScans({ Plan: plan }: Explained): SequentialScan[] {
  return nodesOf(plan).flatMap((node) => {
    const table = node['Relation Name']
    if (!node['Node Type'].endsWith('Seq Scan') || table === undefined) return []
    return [{ table, rows: Math.round((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) }]
  })
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** One line, so that the same statement of two runs is one. */
export const textOf = (explained: Explained): string => explained['Query Text'].replace(/\s+/g, ' ').trim()
