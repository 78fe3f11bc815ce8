import type { en } from './texts.en.ts'

export const ro: typeof en = {
  runs: { any: 'Toate înregistrările', onlyIncomplete: 'Numai incomplete', onlyComplete: 'Numai complete' },
}
