export type { CanvasContent, CanvasEvent, CanvasPlace, CanvasServer, CanvasSnapshot } from './canvas.js';
export { type CanvasServerOptions, canvasServer } from './canvas-server.js';
export { canvasTool } from './canvas-tool.js';
