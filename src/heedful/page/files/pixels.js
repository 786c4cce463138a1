// Numbers as a small picture, however many there are.

import { isDark, shade } from "./colours.js";

/** A picture of one pixel a cell, as the address of its own content. */
export function pixels(rows, most, paint = shade) {
  const canvas = document.createElement("canvas");
  canvas.width = rows[0].length;
  canvas.height = rows.length;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  const dark = isDark();
  rows.forEach((row, i) =>
    row.forEach((weight, j) =>
      image.data.set([...paint(weight / most, dark), 255], 4 * (i * canvas.width + j)),
    ),
  );
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL("image/png");
}
