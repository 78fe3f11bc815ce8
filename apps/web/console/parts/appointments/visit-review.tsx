import { Divider, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'

/** The patient's opinion of a completed visit, if there is one. */
export function VisitReview({ visitId }: { visitId: string }) {
  const t = useTranslations('console.visits')
  const reviews = useList('GET /v1/appointments/{id}/reviews', { params: { id: visitId } })
  const review = reviews.data?.items[0]
  if (!review) return null
  return (
    <>
      <Divider />
      <Stack gap={4} component="section">
        <Title order={3} size="h4">
          {t('review')}
        </Title>
        <Text>{t('rating', { rating: review.rating })}</Text>
        {review.comment !== null && <Text style={{ overflowWrap: 'anywhere' }}>{review.comment}</Text>}
      </Stack>
    </>
  )
}
