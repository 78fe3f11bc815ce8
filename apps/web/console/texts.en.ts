export const en = {
  nav: {
    today: 'Today',
    patients: 'Patients',
    calendar: 'Calendar',
    sessions: 'Sessions',
    settings: 'Settings',
    exercises: 'Exercises',
  },
  keys: {
    help: 'Show this list',
    search: 'Search the list',
    firstRow: 'Go to the first row (in the search of a list)',
    add: 'New patient (on the list of patients), book a visit (in the calendar)',
    walk: 'Next or previous patient',
    today: 'Go to today (in the calendar)',
    turn: 'Earlier or later (in the calendar)',
    span: 'A day or a week (in the calendar)',
    go: 'Go to Today, Patients or the Calendar (press one key after the other)',
  },
}
