import { feature } from '../../../feature.ts'
import { attentionDataClasses } from './data-classes.ts'
import { attentionRoutes } from './routes.ts'

export const attention = feature({ routes: [attentionRoutes], dataClasses: attentionDataClasses })
