export const progressEn = {
  title: 'Progress',
  empty: 'Nothing to show yet',
  emptyText: 'After your first session you see your progress here.',
  toToday: 'Show what to do today',
  asTable: 'Show as a table',
  asChart: 'Show as charts',
  caption: 'Your last weeks. A week is named by its Monday.',
  week: 'Week of',
  sessions: { title: 'Sessions', text: 'How many sessions you did each week.', short: 'Sessions' },
  completed: { title: 'Exercises completed', text: 'Of the exercises in these sessions.', short: 'Completed' },
  pain: { title: 'Worst pain', text: 'From 0, no pain, to 10.', short: 'Worst pain' },
  repetitions: { title: 'Repetitions', text: 'Counted by the camera.', short: 'Repetitions' },
}
