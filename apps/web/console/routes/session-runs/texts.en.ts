export const en = {
  runs: { any: 'All recordings', onlyIncomplete: 'Only incomplete', onlyComplete: 'Only complete' },
}
