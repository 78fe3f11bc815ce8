import type { en } from './texts.en.ts'

export const ro: typeof en = {
  nav: {
    today: 'Azi',
    patients: 'Pacienți',
    calendar: 'Calendar',
    sessions: 'Ședințe',
    settings: 'Setări',
    exercises: 'Exerciții',
  },
  keys: {
    help: 'Afișați această listă',
    search: 'Căutați în listă',
    firstRow: 'Primul rând (din căutarea unei liste)',
    add: 'Pacient nou (în lista pacienților), vizită nouă (în calendar)',
    walk: 'Pacientul următor sau anterior',
    today: 'Mergeți la azi (în calendar)',
    turn: 'Mai devreme sau mai târziu (în calendar)',
    span: 'O zi sau o săptămână (în calendar)',
    go: 'Mergeți la Azi, Pacienți sau Calendar (una după alta)',
  },
}
