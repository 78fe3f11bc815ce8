// How many executions a clinic can start in an hour. One rule gets at most half of them, so that a noisy rule does not stop
// the others; a fifth is kept for reports of pain, so that no other event stops those.

export const MAX_EXECUTIONS_PER_HOUR = 1_000
export const MAX_EXECUTIONS_PER_RULE = 500
export const RESERVED_EXECUTIONS = 200
const RESERVED_EVENT = 'pain.reported'

/** The executions of a rule in the last hour, for one event. */
export interface Usage {
  rule_id: string
  event: string
  count: number
}

interface Candidate {
  rule_id: string
  event: string
}

/** Which candidates fit into the quota after what was used. The first ones come first. */
export function admit<One extends Candidate>(candidates: readonly One[], used: readonly Usage[]): One[] {
  const sum = (chosen: (one: Candidate) => boolean) =>
    used.filter(chosen).reduce((total, { count }) => total + count, 0)
  let total = sum(() => true)
  let others = sum(({ event }) => event !== RESERVED_EVENT)
  const ofRule = new Map<string, number>()
  return candidates.filter(({ rule_id, event }) => {
    const own = ofRule.get(rule_id) ?? sum((one) => one.rule_id === rule_id)
    const isReserved = event === RESERVED_EVENT
    const fits =
      total < MAX_EXECUTIONS_PER_HOUR &&
      own < MAX_EXECUTIONS_PER_RULE &&
      (isReserved || others < MAX_EXECUTIONS_PER_HOUR - RESERVED_EXECUTIONS)
    if (!fits) return false
    ofRule.set(rule_id, own + 1)
    total += 1
    if (!isReserved) others += 1
    return true
  })
}
