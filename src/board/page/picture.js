// Renders drawings as pixels.

/**
 * Renders a drawing; returns `undefined` if the browser cannot.
 * @param {SVGElement | Element | undefined} drawing
 * @param {number} width
 * @returns {Promise<HTMLCanvasElement | undefined>}
 */
export async function render(drawing, width) {
  if (!drawing) {
    return undefined;
  }
  const text = new XMLSerializer().serializeToString(drawing);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((width * image.height) / image.width) || width;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context ? canvas : undefined;
}
