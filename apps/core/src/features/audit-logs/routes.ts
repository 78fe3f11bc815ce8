import type { Feature } from '../../features.ts'

export const auditLogs: Feature = () => {}
