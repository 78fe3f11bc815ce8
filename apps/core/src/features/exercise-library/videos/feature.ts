import { feature } from '../../../feature.ts'
import { videoJobs } from './jobs.ts'
import { playlistRoutes } from './playlist-routes.ts'
import { videoRoutes } from './routes.ts'
import { videoUploadRoutes } from './upload-routes.ts'

export const videos = feature({
  routes: [videoRoutes, videoUploadRoutes, playlistRoutes],
  jobs: videoJobs,
})
