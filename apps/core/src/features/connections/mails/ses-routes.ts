import { NoContent, SnsNotification } from '@tendon/contracts'
import { parseJsonBody, publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { notificationRefused } from './errors.ts'
import { insertSuppression } from './queries.ts'
import { addressIndex } from './sending.ts'
import { deadAddressesOf, isSignedBySns, isSnsUrl } from './sns.ts'

/** Amazon SNS sends JSON and calls it text. */
const SNS_MEDIA_TYPE = 'text/plain'

export const sesRoutes: Routes = (app, { config, db, outbound }) => {
  void app.register(async (scope) => {
    scope.addContentTypeParser<Buffer>(SNS_MEDIA_TYPE, { parseAs: 'buffer' }, (_request, bytes, done) => {
      try {
        done(null, parseJsonBody(bytes))
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    })
    scope.post<{ Body: SnsNotification }>(
      '/webhooks/mail/ses',
      {
        config: {
          access: publicAccess(),
          latency: 'complex_write',
          operationId: 'receiveSesNotification',
          summary: 'Receive a notification from Amazon SES',
          description:
            'Permanent bounces and complaints end mail to an address. Accepts only the topic in MAIL_SNS_TOPIC_ARN, signed by Amazon SNS.',
          refusals: [notificationRefused],
        },
        schema: { body: SnsNotification, response: { 204: NoContent } },
      },
      async (request, reply) => {
        const { body } = request
        const ours = config.MAIL_SNS_TOPIC_ARN !== '' && body.TopicArn === config.MAIL_SNS_TOPIC_ARN
        const signed = ours && (await isSignedBySns(outbound, body).catch(() => false))
        if (!signed) throw notificationRefused()
        if (body.Type === 'SubscriptionConfirmation') {
          if (!isSnsUrl(body.SubscribeURL)) throw notificationRefused()
          await outbound.request(body.SubscribeURL)
        } else {
          for (const { address, reason } of deadAddressesOf(body.Message)) {
            const index = addressIndex(config, address)
            await db.public((tx) => insertSuppression(tx, index, reason))
          }
        }
        return reply.code(204).send(null)
      },
    )
  })
}
