// RFC 9110, 12.5.3. What is malformed counts as refused: a client can always read an answer that is not encoded.

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** The coding that the client likes best, of those offered with the best first; undefined: send the answer as it is. */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const weights = weightsOf(header ?? '')
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | undefined
  let weight = 0
  for (const coding of offered) {
    if (weightOf(coding) <= weight) continue
    best = coding
    weight = weightOf(coding)
  }
  return (weights.get('identity') ?? 0) > weight ? undefined : best
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.split(',')) {
    const [coding = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    if (coding !== '' && !weights.has(coding)) weights.set(coding, weightIn(parameters))
  }
  return weights
}

function weightIn([given, ...more]: readonly string[]): number {
  if (given === undefined) return 1
  return more.length > 0 ? 0 : Number(WEIGHT.exec(given)?.[1] ?? 0)
}
