import type { Account } from './accounts.ts'

const CLINIC = 'Clinica Mlădița'
const OPERATOR = 'Tendon, the operator'
const NO_CLINIC = 'No clinic yet'

export const demoAccounts: readonly Account[] = [
  { email: 'ana.ionescu@mladita.example', name: 'Ana Ionescu', role: 'Admin', group: CLINIC },
  { email: 'andrei.popescu@mladita.example', name: 'Andrei Popescu', role: 'Specialist', group: CLINIC },
  { email: 'emily.carter@mladita.example', name: 'Emily Carter', role: 'Specialist', group: CLINIC },
  { email: 'ioana.dumitru@mladita.example', name: 'Ioana Dumitru', role: 'Customer support', group: CLINIC },
  { email: 'operator@tendon.example', name: 'Olivia Stone', role: 'Superadmin', group: OPERATOR },
  { email: 'newcomer@tendon.example', name: 'Nora Newcomer', role: 'Newcomer', group: NO_CLINIC },
  { email: 'maria.stan@mail.example', name: 'Maria Stan', role: 'Patient', group: NO_CLINIC },
  { email: 'elena.dobre@mail.example', name: 'Elena Dobre', role: 'Patient for four weeks', group: CLINIC },
]
