export { obstacleOf, stateAfterMail } from './rules.ts'
