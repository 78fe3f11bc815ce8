import type { en } from './texts.en.ts'

export const ro: typeof en = {
  today: {
    title: 'Azi',
    sessions: 'Exercițiile dumneavoastră',
    exercises: '{count, plural, one {# exercițiu} few {# exerciții} other {# de exerciții}}',
    lastRun: 'Ultima dată, {completed} din {total} făcute',
    never: 'Încă nefăcute',
    doneToday: 'Făcute azi',
    inProgress: 'Începute, încă neterminate',
    start: 'Începeți',
    resume: 'Continuați',
    forms: 'Formulare de completat',
    fillIn: 'Completați',
    goOn: 'Continuați',
    seeVisit: 'Afișați vizita',
    book: 'Programați o vizită',
    nextVisit: 'Următoarea dumneavoastră vizită',
    with: 'Cu {name}',
    offline: 'Nu aveți conexiune',
    offlineText: 'Exercițiile, formularele și vizitele de la ultima conectare:',
    nothing: 'Nimic de făcut azi',
    nothingText: 'Când clinica vă dă exerciții, un formular sau o vizită, le găsiți aici.',
  },
}
