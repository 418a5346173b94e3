export { geminiImages } from './gemini-images.js';
export type { ImageFormat, ImageModel, ImageQuestion, ImageRequest } from './image-model.js';
export { imageTools } from './image-tools.js';
export { openAiImages } from './open-ai-images.js';
export { svgImages } from './svg-images.js';
export type { ImageServiceOptions } from './web-image-service.js';
