import { isCnp } from '@tendon/contracts'

const FIRST =
  `Ana Maria Ioana Elena Andreea Cristina Mihaela Alexandra Daniela Gabriela Raluca Roxana Simona Irina Larisa Oana
  Andrei Alexandru Mihai Ion Gheorghe Cristian Adrian Bogdan Ciprian Dan Emil Florin George Horia Ilie Lucian Marius Nicolae
  Octavian Paul Radu Sorin Tudor Vasile`.split(/\s+/)
const LAST =
  `Popescu Ionescu Popa Radu Dumitru Stan Stoica Gheorghe Matei Ciobanu Rusu Munteanu Dobre Moldovan Nistor Florea
  Ilie Dinu Toma Lazăr Preda Coman Oprea Sandu Barbu Anghel Cristea Marin Ene Tudor Voicu Badea Lungu Neagu Costea Bucur
  Mocanu Iancu Ursu Manea Grigore Dragomir Pavel Suciu Crăciun Avram Petre Roman Filip Cojocaru Bratu Zamfir Olaru Manole
  Muntean Bălan Nicolescu Pârvu Șerban Țurcanu`.split(/\s+/)
/** Has no divisor in common with the number of names, so that neighbours have different ones. */
const STEP = 7

export const firstName = (place: number): string => FIRST[place % FIRST.length] ?? ''
export const lastName = (place: number): string =>
  LAST[(Math.floor(place / FIRST.length) + place * STEP) % LAST.length] ?? ''

const DAY_MS = 86_400_000
const FIRST_BIRTHDAY = Date.UTC(1945, 0, 1)
const BIRTHDAYS = 20_000

export const birthDate = (place: number): string =>
  new Date(FIRST_BIRTHDAY + (place % BIRTHDAYS) * DAY_MS).toISOString().slice(0, 10)

export const sex = (place: number): 'female' | 'male' => (place % FIRST.length < 16 ? 'female' : 'male')

/** A valid Romanian identification number, another for each place. */
export function nationalId(place: number): string {
  const [year = '', month = '', day = ''] = birthDate(place).split('-')
  const serial = String(Math.floor(place / BIRTHDAYS) + 1).padStart(3, '0')
  const start = `${sex(place) === 'female' ? 2 : 1}${year.slice(2)}${month}${day}40${serial}`
  const number = Array.from({ length: 10 }, (_, digit) => `${start}${digit}`).find(isCnp)
  if (number === undefined) throw new Error(`no number begins with ${start}`)
  return number
}
