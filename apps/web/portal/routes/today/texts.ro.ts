import type { en } from './texts.en.ts'

export const ro: typeof en = {
  today: {
    title: 'Azi',
    sessions: 'Exercițiile dumneavoastră',
    exercises: '{count, plural, one {# exercițiu} few {# exerciții} other {# de exerciții}}',
    lastRun: 'Ultima dată, {completed} din {total} făcute',
    never: 'Încă nefăcute',
    doneToday: 'Făcute azi',
    planEnded: 'Întrebați clinica dacă să continuați acest plan. Ultima zi',
    inProgress: 'Începute, încă neterminate',
    start: 'Începeți',
    resume: 'Continuați',
    forms: 'Formulare de completat',
    fillIn: 'Completați',
    goOn: 'Continuați',
    seeVisit: 'Vedeți programările',
    book: 'Faceți o programare',
    nextVisit: 'Următoarea dumneavoastră programare',
    with: 'Cu {name}',
    offline: 'Nu aveți conexiune',
    offlineText: 'Exercițiile, formularele și programările de la ultima conectare:',
    nothing: 'Nimic de făcut azi',
    nothingText: 'Când clinica vă dă exerciții, un formular sau o programare, le găsiți aici.',
  },
}
