import type { RenderHostStatus } from '../port.ts'

// The host has two maps of numbers. In its API: 0 created, 1 uploaded, 2 processing, 3 transcoding, 4 finished, 5 error,
// 6 upload failed. In its webhook: 3 finished, 4 one resolution finished (which can be played). 4 means ready in both.

const API: readonly RenderHostStatus[] = ['empty', 'working', 'working', 'working', 'ready', 'failed', 'failed']

export const apiStatus = (status: number): RenderHostStatus => API[status] ?? 'working'

export type WebhookMeaning = 'ready' | 'failed' | 'progress' | 'nearly_ready' | 'unknown'

const WEBHOOK: readonly WebhookMeaning[] = ['progress', 'progress', 'progress', 'nearly_ready', 'ready', 'failed']

export const webhookMeaning = (status: number): WebhookMeaning => WEBHOOK[status] ?? 'unknown'
