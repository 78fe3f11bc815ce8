export type { Calendar } from '@tendon/availability'
