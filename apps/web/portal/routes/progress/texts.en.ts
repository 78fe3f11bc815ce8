export const en = {
  progress: {
    title: 'Progress',
    empty: 'Nothing to show yet',
    emptyText: 'After your first session you see your progress here.',
    toToday: 'Show what to do today',
    asTable: 'Show as a table',
    asChart: 'Show as charts',
    caption: 'Your last weeks. A week is named by its Monday.',
    week: 'Week of',
    sessions: { title: 'Sessions', text: 'Sessions in which you completed at least one exercise.', short: 'Sessions' },
    completed: {
      title: 'Exercises completed',
      text: 'How many of the exercises in these sessions you completed, in per cent.',
      short: 'Completed',
    },
    pain: { title: 'Worst pain', text: 'From 0, no pain, to 10.', short: 'Worst pain' },
    measured: { title: 'Repetitions by camera', text: 'Counted by the camera.', short: 'By camera' },
    tapped: { title: 'Repetitions you counted', text: 'Counted by you, by tapping.', short: 'By you' },
  },
}
