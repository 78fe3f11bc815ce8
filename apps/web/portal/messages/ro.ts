import { bookingRo } from './booking-ro.ts'
import type { portalEn } from './en.ts'
import { progressRo } from './progress-ro.ts'
import { runRo } from './run-ro.ts'
import { visitsRo } from './visits-ro.ts'

export const portalRo: typeof portalEn = {
  ...bookingRo,
  ...visitsRo,
  nav: { today: 'Azi', visits: 'Vizite', forms: 'Formulare', progress: 'Progres', me: 'Eu' },
  today: {
    title: 'Azi',
    sessions: 'Exercițiile tale',
    exercises: '{count, plural, one {# exercițiu} few {# exerciții} other {# de exerciții}}',
    lastDone: 'Făcute ultima dată',
    never: 'Încă nefăcute',
    inProgress: 'Începute, încă neterminate',
    start: 'Începe',
    resume: 'Continuă',
    forms: 'Formulare de completat',
    nextVisit: 'Următoarea ta vizită',
    with: 'Cu {name}',
    nothing: 'Nimic de făcut azi',
    nothingText: 'Când clinica îți dă exerciții, un formular sau o vizită, le găsești aici.',
  },
  run: runRo,
  progress: progressRo,
  me: {
    title: 'Eu',
    devices: 'Unde ești în cont',
    current: 'Acest dispozitiv',
    seen: 'Folosit ultima dată',
    end: 'Ieși din cont',
    endAll: 'Ieși din cont peste tot',
    endAllText: 'Ieși din cont pe toate dispozitivele, inclusiv pe acesta.',
    ended: 'Dispozitivul a fost scos din cont.',
    apps: { portal: 'Portal', console: 'Consolă', platform: 'Platformă' },
  },
}
