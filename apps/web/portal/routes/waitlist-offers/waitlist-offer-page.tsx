import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { PublicWaitlistOffer } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useRead, useRefresh, useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { TelephoneLink } from '#ui/format/telephone-link.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { Page } from '#ui/frame/page.tsx'
import { InZone } from '#ui/i18n/i18n.tsx'
import { IconCalendar } from '#ui/icons/index.ts'
import { PublicFrame } from '../../frame/public-frame.tsx'
import { VisitFacts } from '../../parts/book/visit-facts.tsx'

const OFFERS = ['/v1/public/waitlist-offers']

/** An offer, opened by the link in its mail. Shows no patient's name, because the link may be forwarded. */
export function WaitlistOfferPage() {
  const t = useTranslations('portal.offer')
  const { token } = useParams({ from: '/waitlist-offers/$token' })
  const offer = useRead('GET /v1/public/waitlist-offers/{token}', { params: { token } })
  const isGone = offer.error?.status === 404 || offer.error?.status === 422
  return (
    <PublicFrame clinic={offer.data?.data.organization}>
      <Page title={t('title')}>
        {isGone ? (
          <EmptyState icon={IconCalendar} title={t('gone')} text={t('goneText')} />
        ) : (
          <Loaded query={offer}>
            {({ data }) => (
              <InZone zone={data.time_zone}>
                <OneOffer offer={data} token={token} />
              </InZone>
            )}
          </Loaded>
        )}
      </Page>
    </PublicFrame>
  )
}

function OneOffer({ offer, token }: { offer: PublicWaitlistOffer; token: string }) {
  const serviceName = useServiceName()
  const now = useNow()
  const isOver = offer.expires_at !== null && Date.parse(offer.expires_at) <= now
  const status = offer.status === 'open' && isOver ? 'expired' : offer.status
  const visit = {
    ...offer,
    service: { name: serviceName(offer.service) ?? offer.service.name },
    price_cents: null,
    currency: 'RON',
  }
  return (
    <Stack gap="lg">
      <Outcome status={status} phone={offer.organization.phone} />
      <VisitFacts visit={visit}>
        {status === 'open' && offer.expires_at !== null && <Answer token={token} until={offer.expires_at} />}
      </VisitFacts>
    </Stack>
  )
}

/** What became of the offer; nothing while it is open. */
function Outcome({ status, phone }: { status: PublicWaitlistOffer['status']; phone: string | null }) {
  const t = useTranslations('portal.offer')
  if (status === 'open') return <Text>{t('intro')}</Text>
  const isBooked = status === 'accepted'
  return (
    <Alert
      color={isBooked ? 'tendon' : 'gray'}
      variant="outline"
      role="status"
      title={t(`outcome.${status}`)}
      icon={<IconCalendar />}
    >
      <Text>{t(`outcomeText.${status}`)}</Text>
      {!isBooked && phone !== null && <TelephoneLink phone={phone}>{t('call', { phone })}</TelephoneLink>}
    </Alert>
  )
}

const TIME = { weekday: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

function Answer({ token, until }: { token: string; until: string }) {
  const t = useTranslations('portal.offer')
  const format = useFormatter()
  const refresh = useRefresh()
  const [asking, setAsking] = useState(false)
  const accept = useWrite('POST /v1/public/waitlist-offers/{token}', { refresh: OFFERS })
  const decline = useWrite('DELETE /v1/public/waitlist-offers/{token}', {
    refresh: OFFERS,
    onDone: () => setAsking(false),
  })
  return (
    <Stack gap="sm">
      <Text>{t('until', { time: format.dateTime(new Date(until), TIME) })}</Text>
      <Problem error={accept.error} />
      <Group gap="xs" className="phone-wide">
        <Button
          size="md"
          loading={accept.isPending}
          onClick={() => accept.mutate({ params: { token } }, { onError: () => void refresh(OFFERS) })}
        >
          {t('accept')}
        </Button>
        <Button size="md" variant="default" disabled={accept.isPending} onClick={() => setAsking(true)}>
          {t('decline')}
        </Button>
      </Group>
      <Confirm
        open={asking}
        title={t('declineTitle')}
        text={t('declineText')}
        action={t('decline')}
        keep={t('back')}
        pending={decline.isPending}
        error={decline.error}
        onConfirm={() => decline.mutate({ params: { token } })}
        onClose={() => {
          setAsking(false)
          // After a refusal the offer may be another than the page shows.
          if (decline.error) void refresh(OFFERS)
          decline.reset()
        }}
      />
    </Stack>
  )
}
