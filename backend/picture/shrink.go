package picture

import (
	"image"
	"image/draw"
	"math"
)

// shrink draws a picture in a size that is no larger: each pixel is the mean of the area that it
// stands for. Beside the two pictures that takes a few rows of memory only, whereas the filters of
// golang.org/x/image/draw keep 32 bytes of each pixel that is as wide as the result and as high as
// the original.
func shrink(of image.Image, to image.Point) *image.RGBA {
	from := of.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, to.X, to.Y))
	if from.Size() == to {
		draw.Draw(small, small.Rect, of, from.Min, draw.Src)
		return small
	}
	columns := shares(from.Dx(), to.X)
	row := image.NewRGBA(image.Rect(0, 0, from.Dx(), 1))
	sums, means := make([]float32, 4*to.X), make([]float32, 4*to.X)
	read := -1
	for y, rows := range shares(from.Dy(), to.Y) {
		clear(sums)
		for at := rows.first; at <= rows.last; at++ {
			if at != read { // two rows of the result can share one
				draw.Draw(row, row.Rect, of, image.Pt(from.Min.X, from.Min.Y+at), draw.Src)
				shrinkRow(row.Pix, means, columns)
				read = at
			}
			weight := rows.weight(at)
			for i, mean := range means {
				sums[i] += weight * mean
			}
		}
		for i, sum := range sums {
			small.Pix[y*small.Stride+i] = uint8(min(sum+0.5, math.MaxUint8))
		}
	}
	return small
}

// shrinkRow makes the means of a row's pixels.
func shrinkRow(pixels []uint8, means []float32, columns []share) {
	for x, column := range columns {
		var sum [4]float32
		for at := column.first; at <= column.last; at++ {
			weight := column.weight(at)
			for i, value := range pixels[4*at : 4*at+4] {
				sum[i] += weight * float32(value)
			}
		}
		copy(means[4*x:], sum[:])
	}
}

// share is what one pixel of a line stands for: pixels of the longer line, of which the first and
// the last may be its own in part.
type share struct {
	first, last                     int
	firstWeight, weights, endWeight float32
}

func (s share) weight(at int) float32 {
	switch at {
	case s.first:
		return s.firstWeight
	case s.last:
		return s.endWeight
	}
	return s.weights
}

// shares divides a line into fewer pixels. The weights of each come to 1.
func shares(from, to int) []share {
	all := make([]share, to)
	ratio := float64(from) / float64(to)
	for i := range all {
		begin, end := float64(i)*ratio, float64(i+1)*ratio
		first, last := int(begin), min(int(math.Ceil(end)), from)-1
		s := share{first: first, last: last, weights: float32(1 / ratio)}
		s.firstWeight = float32((math.Min(float64(first+1), end) - begin) / ratio)
		s.endWeight = float32((end - float64(last)) / ratio)
		all[i] = s
	}
	return all
}

// upright is the orientation of a picture that needs no turning (Exif 2.32, tag 274). The others up
// to 8 are mirrored, turned, or both.
const upright = 1

// turn turns a picture upright.
func turn(of *image.RGBA, orientation int) *image.RGBA {
	if orientation <= upright || orientation > 8 {
		return of
	}
	width, height := of.Rect.Dx(), of.Rect.Dy()
	size := image.Rect(0, 0, width, height)
	if orientation >= 5 {
		size = image.Rect(0, 0, height, width)
	}
	turned := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			fromX, fromY := x, y
			if orientation >= 5 {
				fromX, fromY = y, x
			}
			switch orientation {
			case 2, 3, 7, 8: // what is shown right is stored left
				fromX = width - 1 - fromX
			}
			switch orientation {
			case 3, 4, 6, 7:
				fromY = height - 1 - fromY
			}
			copy(turned.Pix[turned.PixOffset(x, y):][:4], of.Pix[of.PixOffset(fromX, fromY):][:4])
		}
	}
	return turned
}
