export { geminiImages } from './gemini-images.js';
export type { ImageFormat, ImageModel, ImageQuestion, ImageRequest } from './image-model.js';
export type { ImageServiceOptions } from './image-service.js';
export { imageTools } from './image-tools.js';
export { openAiImages } from './open-ai-images.js';
export { svgImages } from './svg-images.js';
