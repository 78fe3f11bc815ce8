import type { Config } from '@tendon/config'
import { startMailReceiver } from './mail-receiver.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

/** What listens in the process of `npm start` itself. Throws `PortTaken` and leaves nothing open. */
export async function startReceivers({ HOST, MAIL_RECEIVER_PORT, WEBHOOK_RECEIVER_PORT }: Config) {
  const stopMail = await startMailReceiver(HOST, MAIL_RECEIVER_PORT)
  try {
    const stopWebhooks = await startWebhookReceiver(HOST, WEBHOOK_RECEIVER_PORT)
    return async () => {
      await stopWebhooks()
      await stopMail()
    }
  } catch (error) {
    await stopMail()
    throw error
  }
}
