const MAX_CODE_LENGTH = 63
const CODE = /^[a-z][a-z0-9_]+$/

/** 'Recepție și telefon' → 'receptie_si_telefon'; undefined when too little of the name can be written that way. */
export function codeFromName(name: string): string | undefined {
  const code = name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .replace(/^(?=[0-9])/, 'role_')
    .slice(0, MAX_CODE_LENGTH)
    .replace(/_+$/, '')
  return CODE.test(code) ? code : undefined
}

/** What to add and what to take away so that `current` becomes `wanted`. */
export function differenceOf(current: readonly string[], wanted: readonly string[]) {
  const before = new Set(current)
  const after = new Set(wanted)
  return {
    added: [...after].filter((code) => !before.has(code)),
    removed: [...before].filter((code) => !after.has(code)),
  }
}
